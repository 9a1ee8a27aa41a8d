import {ownImage} from '../platform/addresses.ts'
import type {Face} from './site-faces.ts'

/** Text for an element or between double quotes: no character of it is markup. */
const escaped = (text: string) => text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)

const meta = (name: string, content: string | undefined) =>
  content ? `<meta name="${name}" content="${escaped(content)}" />` : ''

/**
 * Puts a site into the head of the finished page, for all that read no script; the app takes the same elements over.
 * Last of all: nothing may be looked for in what an admin wrote. What the site does not say stays as the page has it.
 */
export function withSiteHead(html: string, face: Face | undefined, platform: string): string {
  if (face === undefined) return html
  const title = face.title?.trim()
  const icon = ownImage(face.favicon, {platform})
  const more = meta('description', face.description?.trim()) + meta('keywords', face.keywords?.join(','))
  return html
    .replace(/<link\b[^>]*\brel="icon"[^>]*>/, (tag) =>
      icon === undefined ? tag : `<link rel="icon" href="${escaped(icon)}" />`,
    )
    .replace(/<title>[^<]*<\/title>/, (tag) => (title ? `<title>${escaped(title)}</title>` : tag) + more)
}
