import sharp from 'sharp'
import type {MessageContent} from '#contract/chat.ts'
import type {ChatInput, StoredFile} from '#server/providers/provider.ts'

const formatNumber = (value: number) => value.toLocaleString('en')

/** Files and images of a message, by address. */
export function attachmentsOf(content: MessageContent): string[] {
  if (typeof content === 'string') return []
  return content.flatMap((item) => {
    if (item.type === 'text') return []
    const reference = item.type === 'image_url' ? item.image_url : item.file_url
    return [typeof reference === 'string' ? reference : reference.url]
  })
}

/** Escapes text for a table cell or code span: no character of it can end either. */
const cell = (text: string) => text.replace(/[\r\n]+/g, ' ').replace(/([|`*_<>[\]\\~])/g, '\\$1')

async function imageFacts(bytes: Uint8Array): Promise<string> {
  try {
    const {width, height, format, hasAlpha} = await sharp(bytes).metadata()
    return `${width} × ${height} pixels, ${format.toUpperCase()}${hasAlpha ? ', with transparency' : ''}`
  } catch {
    return 'not readable as an image'
  }
}

function textFacts(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes)
    const words = text.split(/\s+/).filter((word) => word !== '').length
    return text.includes('\0') ? '–' : `${formatNumber(text.split('\n').length)} lines, ${formatNumber(words)} words`
  } catch {
    return '–' // not text
  }
}

async function fileFacts({name, type, size, read}: StoredFile): Promise<string> {
  const bytes = await read()
  const content = type.startsWith('image/') ? await imageFacts(bytes) : textFacts(bytes)
  return `| ${cell(name)} | ${cell(type)} | ${formatNumber(size)} bytes | ${content} |`
}

/** Facts of attached files that need no understanding. Opens only the user's own uploads (security R27). */
export async function attachmentFacts(addresses: readonly string[], input: ChatInput): Promise<string> {
  const rows: string[] = []
  let foreign = 0
  for (const address of addresses.slice(0, 10)) {
    input.signal.throwIfAborted()
    const file = await input.storedFile?.(address)
    if (file === undefined) foreign += 1
    else rows.push(await fileFacts(file))
  }
  const table = ['| File | Type | Size | Content |', '|---|---|---:|---|', ...rows].join('\n')
  const subject = foreign === 1 ? 'One address is' : `${foreign} addresses are`
  const note = `${subject} not an upload of yours here, so nothing was opened.`
  return [...(rows.length > 0 ? [table] : []), ...(foreign > 0 ? [note] : [])].join('\n\n')
}
