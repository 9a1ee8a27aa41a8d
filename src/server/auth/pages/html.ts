/** Markup that is safe to send. Only `html` makes it, so text cannot become markup by accident (security R01). */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | false | undefined | Html | readonly Html[]

const entities: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

const render = (value: Value): string => {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return value.map((part) => part.text).join('')
}

/** Escapes all values but markup; `undefined` and `false` are nothing. Attribute values stand in quotes. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(strings.reduce((text, string, index) => text + render(values[index - 1]) + string))

/** Text of our own bundle: styles and scripts. Never for anything that came with a request. */
export const trusted = (text: string): Html => new Html(text)

/** Data for a `<script type="application/json">`: nothing in it can close the element or open a comment. */
export const jsonData = (value: unknown): Html =>
  new Html(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
