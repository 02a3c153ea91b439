/** Bytes up to which a file is sent as it is. */
const small = 1 << 20

/** Pixels of the longer side that the server keeps. */
const longest = 1600

/**
 * A picture's file in the size that the server keeps, so that a photo of 10 MB takes a phone no more than it must. What the
 * browser cannot decode stays as it is: the server says why it does not take it.
 */
export async function sendable(file: File): Promise<Blob> {
  if (file.size <= small) return file
  const whole = await createImageBitmap(file).catch(() => undefined)
  if (!whole) return file
  const scale = Math.min(1, longest / Math.max(whole.width, whole.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(whole.width * scale))
  canvas.height = Math.max(1, Math.round(whole.height * scale))
  canvas.getContext('2d')?.drawImage(whole, 0, 0, canvas.width, canvas.height)
  whole.close()
  const type = file.type === 'image/png' ? file.type : 'image/jpeg'
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), type, 0.9))
}

/** A file as an address that shows it, which the content security policy allows. */
export const shownAs = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })

/** The first picture of what was pasted or dropped. */
export const pictureIn = ({ files }: DataTransfer): File | undefined =>
  [...files].find(({ type }) => type.startsWith('image/'))
