/** The id in the address of a file of the platform service; undefined for any other address. */
export function ownFileId(address: string, platform: string, page: string): string | undefined {
  if (!URL.canParse(address) || !URL.canParse(platform, page)) return undefined
  const [url, base] = [new URL(address), new URL(platform, page)]
  if (url.origin !== base.origin) return undefined
  const prefix = `${base.pathname.replace(/\/$/, '')}/api/v1/files/`
  if (!url.pathname.startsWith(prefix)) return undefined
  return /^([\w-]{22})\/[^/]+$/.exec(url.pathname.slice(prefix.length))?.[1]
}
