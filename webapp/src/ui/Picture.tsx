import { useState } from 'react'

type Props = { src: string; className?: string; width?: number; height?: number }

/** A decorative picture, which is hidden if it cannot be loaded. */
export function Picture({ src, className, width, height }: Props) {
  const [broken, setBroken] = useState<string>()
  if (broken === src) return null
  return (
    <img
      className={className}
      src={src}
      alt=""
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(src)}
    />
  )
}
