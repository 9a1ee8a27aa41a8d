import {createHash} from 'node:crypto'
import {frameImageSources} from '#domain/image-frame.ts'

/**
 * The address comes from the page around the frame alone, never from the frame's own address: markup that a fault lets
 * into the page can open this frame, but without a script it cannot have it ask for anything (docs/decisions/0173). The
 * origin of the frame is opaque; `location.origin` is that of its address.
 */
const script = `
const report = (fact) => parent.postMessage(fact, location.origin)
const image = new Image()
image.alt = ''
image.onload = () => {
  document.body.append(image)
  report({type: 'image.loaded', width: image.naturalWidth || 300, height: image.naturalHeight || 150})
}
image.onerror = () => report({type: 'image.failed'})
addEventListener('message', ({source, origin, data}) => {
  if (source !== parent || origin !== location.origin || image.src || typeof data?.imageAddress !== 'string') return
  report({type: 'image.asked'})
  image.src = data.imageAddress
})
`

const style = `
html,body{margin:0;block-size:100%;overflow:hidden}
img{display:block;inline-size:100%;block-size:100%;object-fit:contain}
`

const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8" /><title>Image</title><style>${style}</style></head>
<body><script>${script}</script></body>
</html>
`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Its one script, its one style and one image; no address of its own may be named, and no other page may frame it. */
const framePolicy = (pageOrigin: string) =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    `img-src ${frameImageSources(pageOrigin).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    'sandbox allow-scripts',
  ].join('; ')

/** The frame in which a page of this origin shows an image of another host. */
export const imageFrame = (request: Request, pageOrigin: string): Response =>
  new Response(request.method === 'GET' ? html : null, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': framePolicy(pageOrigin),
    },
  })
