import type {Medium} from '#contract/media/media-tool.ts'
import {saveBlob} from '#browser/save-blob.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {safeUrl} from './media-url.ts'

const extensions = {image: 'png', video: 'mp4', audio: 'mp3', text: 'txt'} as const

/**
 * A file name that says what it is: tool, first words of its name, what was done for it, a bit of the id. `position`
 * counts from 1 and tells the results of one task apart, whose ids may begin alike.
 */
export function fileNameOf(
  tool: string,
  names: readonly (string | undefined)[],
  id: string,
  url: string,
  medium: keyof typeof extensions,
  position?: number,
): string {
  const words = names.map((name = '') =>
    name
      .normalize('NFC')
      // vowels of Hindi and Thai are marks; those of anything else, such as emoji, go with it
      .replace(/(?:[^\p{L}\p{M}\p{N}]\p{M}*)+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 48)
      .replace(/-?[\uD800-\uDBFF]?$/, ''),
  )
  const extension =
    /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(new URL(url, 'http://localhost').pathname)?.[1] ?? extensions[medium]
  return `${[tool, ...words, id.replace(/[^\w]/g, '').slice(0, 8), position].filter(Boolean).join('-')}.${extension.toLowerCase()}`
}

/**
 * Saves a file under a name. A file of another origin that may not be read is opened instead, so that the browser can
 * save it. Rejects when the file cannot be had.
 */
export async function saveFile(url: string, name: string, fetchFile: typeof fetch = fetch): Promise<void> {
  let answer: Response
  try {
    answer = await fetchFile(url, {credentials: 'omit'})
  } catch {
    const link = document.createElement('a')
    link.href = url
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
    link.click() // another origin does not let this page read it
    return
  }
  if (!answer.ok) throw new Error(`The file answered ${answer.status}`)
  saveBlob(await answer.blob(), name)
}

/** The files of a task, or of one result of it, each under its name when saved. `work`: what was done for it. */
export function filesOf(
  tool: string,
  card: Pick<Card, 'id' | 'prompt' | 'reading'>,
  work: string | undefined,
  index?: number,
): {url: string; name: string; medium: Medium}[] {
  const {artifacts} = card.reading
  return artifacts.flatMap(({url: address, id = card.id ?? '', medium, title}, at) => {
    const url = safeUrl(address)
    if (url === undefined || (index !== undefined && at !== index)) return []
    const position = artifacts.length > 1 ? at + 1 : undefined
    return [{url, name: fileNameOf(tool, [title ?? card.prompt, work], id, url, medium, position), medium}]
  })
}
