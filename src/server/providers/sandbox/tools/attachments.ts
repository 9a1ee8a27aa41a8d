import {createHash} from 'node:crypto'
import sharp from 'sharp'
import type {MessageContent} from '#contract/chat.ts'
import type {ChatInput, StoredFile} from '../../provider.ts'
import {formatNumber} from './arithmetic.ts'

/** Files and pictures of a message, by address. */
export function attachmentsOf(content: MessageContent): string[] {
  if (typeof content === 'string') return []
  return content.flatMap((item) => {
    if (item.type === 'text') return []
    const reference = item.type === 'image_url' ? item.image_url : item.file_url
    return [typeof reference === 'string' ? reference : reference.url]
  })
}

/** Text in a table's cell or in a code span: no character of it can end either. */
const cell = (text: string) => text.replace(/[\r\n]+/g, ' ').replace(/([|`*_<>[\]\\~])/g, '\\$1')

async function pictureFacts(bytes: Uint8Array): Promise<string> {
  try {
    const {width, height, format, pages = 1, hasAlpha} = await sharp(bytes).metadata()
    const size = `${width} × ${height} pixels, ${format.toUpperCase()}`
    return [size, pages > 1 && `${pages} frames`, hasAlpha && 'with transparency'].filter(Boolean).join(', ')
  } catch {
    return 'not readable as a picture'
  }
}

function textFacts(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes)
    if (text.includes('\0')) return undefined
    const words = text.split(/\s+/).filter((word) => word !== '').length
    return `${formatNumber(text.split('\n').length)} lines, ${formatNumber(words)} words`
  } catch {
    return undefined // not text
  }
}

async function fileFacts({name, type, size, read}: StoredFile): Promise<string> {
  const bytes = await read()
  const content = type.startsWith('image/') ? await pictureFacts(bytes) : textFacts(bytes)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return `| ${cell(name)} | ${cell(type)} | ${formatNumber(size)} bytes | ${content ?? '–'} | \`${hash}…\` |`
}

/** What can be read of attached files without understanding them. Only the asker's own uploads are opened (security R27). */
export async function attachmentFacts(addresses: readonly string[], input: ChatInput): Promise<string> {
  const rows: string[] = []
  let foreign = 0
  for (const address of addresses.slice(0, 10)) {
    input.signal.throwIfAborted()
    const file = await input.storedFile?.(address)
    if (file === undefined) foreign += 1
    else rows.push(await fileFacts(file))
  }
  const table = rows.length === 0 ? [] : ['| File | Type | Size | Content | SHA-256 |\n|---|---|---:|---|---|', ...rows]
  const note =
    foreign === 0
      ? []
      : [
          `${table.length > 0 ? '\n' : ''}${foreign === 1 ? 'One address is' : `${foreign} addresses are`} not an upload of yours here, so nothing was opened.`,
        ]
  return [...table, ...note].join('\n')
}
