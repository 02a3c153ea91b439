const pad = (part: number) => String(part).padStart(2, '0')

/** The local date and time, as a field for them has it. */
export function fieldOf(date: Date): string {
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** The moment in a field for a local date and time, or undefined for an empty or unfinished one. */
export function momentIn(field: string): Date | undefined {
  const date = new Date(field)
  return Number.isNaN(date.getTime()) ? undefined : date
}
