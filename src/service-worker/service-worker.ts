import type {WorkerFact, WorkerRequest} from '../contract/app-worker.ts'
import {answerPage} from './answer-page.ts'
import type {Build} from './build.ts'
import {createBuildKeeper, keptFile, keptPage, ownPage, renewPage} from './kept-builds.ts'
import {notify, openPage} from './notifications.ts'
import {createSeenFiles, seenFile} from './seen-files.ts'

/*
 * The service worker (docs/decisions/0058). Pages come from the network, and from what is kept only where there is
 * none, where it is overdue, or where no server is behind a proxy. Files of a build never change, so a kept one is as
 * good as the server's; nor do the user's own files, of which the page keeps those that were seen. Other answers of
 * services are never touched.
 */

/** Written by the build. */
declare const __BUILD__: Build
const build = __BUILD__

// as: the library types `self` as any worker
const worker = self as unknown as ServiceWorkerGlobalScope

const keepBuild = createBuildKeeper(build)
const buildFact: WorkerFact = {type: 'build', entry: build.entry}

const seenFiles = createSeenFiles()
// a file whose cache cannot be read stays with the browser
const lookAtFiles = () => seenFiles.read().catch(() => undefined)
void lookAtFiles()

worker.addEventListener('install', () => void worker.skipWaiting())

worker.addEventListener('activate', (event) => event.waitUntil(activate()))

async function activate(): Promise<void> {
  // the request of the page does not wait for this worker to start
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
  for (const page of await worker.clients.matchAll({type: 'window'})) page.postMessage(buildFact)
}

worker.addEventListener('message', (event) => {
  // as: only pages of this origin can send, and they send this
  const request = event.data as WorkerRequest
  if (request.type === 'notify') return event.waitUntil(notify(worker, request.notice))
  event.waitUntil(keepBuild(request.locale))
})

worker.addEventListener('fetch', (event) => {
  const {request} = event
  const {origin, pathname} = new URL(request.url)
  if (request.mode === 'navigate') event.waitUntil(lookAtFiles())
  if (seenFiles.has(request)) return event.respondWith(answerSeen(event))
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(answerFile(request))
  else if (request.mode === 'navigate' && isPage(pathname))
    event.respondWith(
      answerPage(() => askPage(event), {
        keptPage: () => keptPage(build),
        ownPage: () => ownPage(build),
        onOverdue: (answer) => event.waitUntil(renewFrom(answer)),
      }),
    )
})

/** Services, short links and files are not pages of the app: their answers are not kept. */
const isPage = (pathname: string) => !/^\/(services|s|api|oauth2|aichat)\/|\.[a-z0-9]{1,12}$/i.test(pathname)

const answerSeen = async (event: FetchEvent) =>
  (await seenFile(event.request)) ?? (event.request.mode === 'navigate' ? askPage(event) : fetch(event.request))

const answerFile = async (request: Request) => (await keptFile(request)) ?? fetch(request)

/** Renews the kept page; without an answer it stays as it is. */
const renewFrom = (answer: Promise<Response>) =>
  answer.then(
    (page) => renewPage(build, page),
    () => undefined,
  )

/** As the browser asked ahead, if it did. */
const askPage = async ({request, preloadResponse}: FetchEvent) =>
  // as: the library does not know what it resolves with
  ((await preloadResponse) as Response | undefined) ?? (await fetch(request))

worker.addEventListener('notificationclick', (event) => event.waitUntil(openPage(worker, event.notification)))
