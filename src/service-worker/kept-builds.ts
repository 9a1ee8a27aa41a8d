import type {Build} from './build.ts'

const prefix = 'atrium '
const nameOf = ({id, entry}: Build) => `${prefix}${entry} ${id}`
const entryOf = (name: string) => name.slice(prefix.length).split(' ')[0] ?? ''
const isBuild = (name: string) => name.startsWith(prefix)

/** Names of files change with their content; what a server says of encodings or languages is no other file. */
const exactly = {ignoreSearch: true, ignoreVary: true}

/** Hundreds of requests at once would take the processor from a page that streams an answer. */
const filesAtOnce = 4

/** The page is the same at every address; it is kept under this one. */
const pageAddress = '/'

/**
 * Keeps a build for the time without a network: every script and style, the messages of one language and the page. The
 * page and its script come last: where the script is kept, all of the build is.
 *
 * @returns whether it is kept whole
 */
async function keepBuild(build: Build, locale: string): Promise<boolean> {
  const cache = await caches.open(nameOf(build))
  const keptPaths = new Set((await cache.keys()).map(({url}) => new URL(url).pathname))
  const wantedPaths = [...build.files, ...(build.messages[locale] ?? [])]
  const missingPaths = wantedPaths.filter((file) => file !== build.entry && !keptPaths.has(file))
  while (missingPaths.length > 0) await cache.addAll(missingPaths.splice(0, filesAtOnce))
  const [page, entry] = await Promise.all([fetch(pageAddress, {cache: 'no-cache'}), fetch(build.entry)])
  // another build is there already, whose own worker keeps it, or the server does not answer
  if (!entry.ok || !(await isPageOf(build, page))) return false
  await Promise.all([cache.put(pageAddress, page), cache.put(build.entry, entry)])
  return true
}

/** Keeps a build as often as pages ask for it, one after the other, and then removes those that it replaces. */
export function createBuildKeeper(build: Build): (locale: string) => Promise<void> {
  let keeping = Promise.resolve()
  const keep = async (locale: string) => {
    // one that is not whole replaces none
    if (await keepBuild(build, locale)) await forgetBuilds(build)
  }
  return (locale) => {
    const next = () => keep(locale)
    keeping = keeping.then(next, next)
    return keeping
  }
}

const isPageOf = async ({entry}: Build, page: Response) =>
  page.ok && !page.redirected && (await page.clone().text()).includes(entry)

/** Keeps a newer answer instead of the kept page; a page of another build is kept by its own worker. */
export async function renewPage(build: Build, page: Response): Promise<void> {
  if (!(await isPageOf(build, page))) return
  const cache = await caches.open(nameOf(build))
  await cache.put(pageAddress, page)
}

/** Removes builds that no page shows any more. */
async function forgetBuilds(current: Build): Promise<void> {
  const {held = []} = await navigator.locks.query()
  const isOpen = (name: string) => held.some((lock) => lock.name === entryOf(name))
  const names = (await caches.keys()).filter(isBuild)
  await Promise.all(
    names.filter((name) => name !== nameOf(current) && !isOpen(name)).map((name) => caches.delete(name)),
  )
}

/** A script or style of any kept build: a page of an old build goes on with its own. What cannot be read is the server's. */
export const keptFile = (request: Request): Promise<Response | undefined> =>
  caches.match(request, exactly).catch(() => undefined)

const pageIn = (name: string) => caches.match(pageAddress, {...exactly, cacheName: name})

/** The page of this build, once it is kept whole. */
export const ownPage = (current: Build): Promise<Response | undefined> => pageIn(nameOf(current))

/** The page of this build, or of the newest one before it that is kept whole. */
export async function keptPage(current: Build): Promise<Response | undefined> {
  const names = (await caches.keys()).filter(isBuild).reverse()
  for (const name of [nameOf(current), ...names]) {
    const page = await pageIn(name)
    if (page !== undefined) return page
  }
  return undefined
}
