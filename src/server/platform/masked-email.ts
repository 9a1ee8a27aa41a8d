/** An address that its owner recognises and nobody else can write to: `foo@bar.org` → `f***@bar.org`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, Math.max(at, 0))
  return `${first}***${at < 0 ? '' : email.slice(at)}`
}
