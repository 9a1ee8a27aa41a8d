import type {ServerDeps} from '../deps.ts'
import {contentDisposition} from './file-name.ts'
import {storeOf} from './file-stores.ts'
import type {FileRow} from './stored-files.ts'

/** Types that an element of a page shows. Others come through the server, with headers that keep them from running. */
const shownTypes = /^(image\/(?!svg)|audio\/|video\/)/
const shownBy = new Set(['image', 'audio', 'video'])

/**
 * Redirects an image, sound or video element to a signed address of the store, if the configuration allows it. Requests
 * of scripts stay with the server, so that the bucket needs no CORS rules. The same address is used for half of its
 * life, so that the browser can cache it. `undefined`: serve the file here.
 */
export async function redirectToStore(
  {fileStores, now}: Pick<ServerDeps, 'fileStores' | 'now'>,
  request: Request,
  row: FileRow,
): Promise<Response | undefined> {
  const {redirect} = fileStores
  if (redirect === undefined || !shownTypes.test(row.type) || request.method !== 'GET') return undefined
  const {headers} = request
  if (!shownBy.has(headers.get('sec-fetch-dest') ?? '') || headers.get('sec-fetch-mode') !== 'no-cors') return undefined
  const {sign} = storeOf(fileStores, row)
  if (sign === undefined) return undefined
  const half = (redirect.seconds / 2) * 1_000
  const at = now().getTime()
  const from = new Date(Math.floor(at / half) * half)
  const answer = {
    type: row.type,
    disposition: contentDisposition('inline', row.name),
    cacheControl: 'private, max-age=31536000, immutable',
  }
  const address = await sign(row.storedAs, answer, {from, seconds: redirect.seconds})
  // signed at this origin alone does the policy of the page let it in
  if (new URL(address).origin !== redirect.origin) return undefined
  const seconds = Math.floor((from.getTime() + half - at) / 1_000)
  return new Response(null, {
    status: 302,
    headers: {
      location: address,
      'cache-control': `private, max-age=${seconds}`,
      vary: 'Sec-Fetch-Dest, Sec-Fetch-Mode',
    },
  })
}
