import {resultAddress} from '#domain/result-address.ts'

/** An address that a result may be shown or opened from on this page, or undefined. */
export const safeUrl = (
  url: string | undefined,
  base: string = globalThis.location?.href ?? 'http://localhost',
): string | undefined => resultAddress(url, base)

/** A video where its first image stands: without a time some browsers show nothing before it plays. */
export const stillOf = <Url extends string | undefined>(url: Url) => url && `${url}#t=0.001`

/** The address of another attempt at a result that could not be loaded (contract/media §3); blobs have one address. */
export function retryUrl(url: string, attempt: number): string {
  if (attempt === 0 || url.startsWith('blob:')) return url
  const parsedUrl = new URL(url)
  parsedUrl.searchParams.set('retry', String(attempt))
  return parsedUrl.href
}
