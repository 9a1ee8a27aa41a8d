/** The page of a payment where a tab can show it: an address of the web, relative ones seen from `base`. */
export function payPageAddress(url: string | null | undefined, base: string): string | undefined {
  if (url == null || !URL.canParse(url, base)) return undefined
  const {protocol, href} = new URL(url, base)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
