import {readFileSync} from 'node:fs'
import {extname, join, normalize, resolve} from 'node:path'
import {listen, type LocalServer} from './http-server.ts'

const client = resolve(import.meta.dirname, '../../dist/client')
const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
}

/**
 * Any web server: the built client as files, its page for every path that is no file, and the operator's addresses in
 * the page's `#config`. It knows nothing of our server.
 */
export function hostClient(config: object): Promise<LocalServer> {
  const page = readFileSync(join(client, 'index.html'), 'utf8').replace(
    /(<script\b[^>]*\bid="config"[^>]*>)[^<]*(<\/script>)/,
    (_, open: string, close: string) => open + JSON.stringify(config) + close,
  )
  return listen((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://host').pathname)
    const type = types[extname(path)]
    if (type === undefined || path === '/index.html') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(page)
      return
    }
    response.setHeader('content-type', type)
    response.end(readFileSync(join(client, path)))
  })
}
