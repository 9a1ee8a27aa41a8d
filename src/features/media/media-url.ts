/**
 * An address a result may be shown or opened from, or undefined. What a model or a server sends is data: only web
 * addresses and the page's own blobs become a source or a link (security R01, R03).
 */
export function safeUrl(
  url: string | undefined,
  base: string = globalThis.location?.href ?? 'http://localhost',
): string | undefined {
  if (url === undefined || url === '') return undefined
  try {
    const parsed = new URL(url, base)
    return ['http:', 'https:', 'blob:'].includes(parsed.protocol) ? parsed.href : undefined
  } catch {
    return undefined
  }
}

/** The address of another attempt at a result that could not be loaded (contract/media §3); blobs have one address. */
export function retryUrl(url: string, attempt: number): string {
  if (attempt === 0 || url.startsWith('blob:')) return url
  const parsed = new URL(url)
  parsed.searchParams.set('retry', String(attempt))
  return parsed.href
}

const extensions = {image: 'png', video: 'mp4', audio: 'mp3', text: 'txt'} as const

/** A file name that says what it is: tool, first words of the prompt, a bit of the id. */
export function fileNameOf(
  tool: string,
  prompt: string,
  id: string,
  url: string,
  medium: keyof typeof extensions,
): string {
  const words = prompt
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48)
    .replace(/-+$/, '')
  const extension =
    /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(new URL(url, 'http://localhost').pathname)?.[1] ?? extensions[medium]
  return `${[tool, words, id.replace(/[^\w]/g, '').slice(0, 8)].filter(Boolean).join('-')}.${extension.toLowerCase()}`
}

/**
 * Saves a file under a name. A file of another origin that may not be read is opened instead, so that the browser can
 * save it. Rejects when the file cannot be had.
 */
export async function saveFile(url: string, name: string, fetchFile: typeof fetch = fetch): Promise<void> {
  const press = (href: string, isOwn: boolean) => {
    const link = document.createElement('a')
    link.href = href
    if (isOwn) link.download = name
    else {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
    link.click()
  }
  let answer: Response
  try {
    answer = await fetchFile(url, {credentials: 'omit'})
  } catch {
    press(url, false) // another origin does not let this page read it
    return
  }
  if (!answer.ok) throw new Error(`The file answered ${answer.status}`)
  const local = URL.createObjectURL(await answer.blob())
  press(local, true)
  setTimeout(() => URL.revokeObjectURL(local), 60_000)
}
