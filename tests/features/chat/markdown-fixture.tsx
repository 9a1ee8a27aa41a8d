import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {renderView} from '#tests/ui/render.tsx'

export const html = (text: string, growing = false) => {
  const {container, unmount} = renderView(<Markdown text={text} growing={growing} />)
  const result = (container.firstElementChild ?? container).innerHTML
  unmount()
  return result
}
/** Returns the text that a reader sees: without the chrome of code blocks, white space folded. */
export const seen = (container: Element) => {
  const copy = container.cloneNode(true) as Element // cloneNode is typed as Node
  copy.querySelectorAll('figcaption, details, [role="status"]').forEach((element) => element.remove())
  return (copy.textContent ?? '').replace(/\s+/g, '')
}
export const seenOf = (text: string, growing = false) => {
  const {container, unmount} = renderView(<Markdown text={text} growing={growing} />)
  const result = seen(container)
  unmount()
  return result
}
