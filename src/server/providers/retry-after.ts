/** Seconds only; the date form is rare and would need the clock of the other machine. */
export const retryAfterSeconds = (header: string | null | undefined): number | undefined =>
  header != null && /^\d{1,6}$/.test(header.trim()) ? Number(header.trim()) : undefined
