import {Observable} from 'rxjs'
import {z} from '#contract/schema.ts'
import type {ElsewhereFact} from '#domain/lost-file.ts'

/** An upload has begun in the tab that says so; with an address it is over. */
const report = z.object({id: z.string(), url: z.optional(z.string())})
type Report = z.infer<typeof report>

type Browser = {
  /** Undefined on plain http: then no tab knows of those on their way. */
  locks: LockManager | undefined
  createChannel: ((name: string) => BroadcastChannel) | undefined
  sleep: (milliseconds: number) => Promise<unknown>
}

/**
 * Milliseconds in which other tabs read what this one said before. Messages of different channels, and the ends of
 * locks, reach them in any order.
 */
const echoTime = 250

const lockName = (id: string) => `atrium.upload.${id}`

/**
 * The uploads of the tabs of a browser (decision 214). A tab holds a lock for each that is on its way, which the browser
 * takes from it when it is closed.
 */
export function createUploadsElsewhere({locks, createChannel, sleep}: Browser) {
  const open = () => createChannel?.('atrium.uploads')
  const tell = (message: Report) => {
    const channel = open()
    channel?.postMessage(message)
    channel?.close()
  }
  return {
    /** An upload of this tab begins. @returns its end, with the address of a file that was uploaded */
    begin: (id: string): ((url?: string) => void) => {
      let release: () => void = () => undefined
      const isOver = new Promise<void>((resolve) => (release = resolve))
      const occupy = async () => {
        tell({id})
        await isOver
      }
      locks?.request(lockName(id), {mode: 'exclusive'}, occupy).catch(() => undefined)
      return (url) => {
        if (url === undefined) return release()
        void sleep(echoTime).then(() => tell({id, url}))
        void sleep(2 * echoTime).then(release)
      }
    },
    /** Says at once, and whenever that changes, how an upload of another tab stands. */
    elsewhere$: (id: string) =>
      new Observable<ElsewhereFact>((subscriber) => {
        const leaving = new AbortController()
        const {signal} = leaving
        const channel = open()
        const isFree = async () =>
          (await locks?.request(lockName(id), {mode: 'shared', ifAvailable: true}, async (lock) => lock !== null)) ??
          true
        let isWaiting = false
        const look = async () => {
          if (isWaiting) return
          isWaiting = true
          if (!(await isFree())) {
            subscriber.next({type: 'elsewhere.running'})
            await locks?.request(lockName(id), {mode: 'shared', signal}, async () => undefined)
          }
          isWaiting = false
          subscriber.next({type: 'elsewhere.gone'})
        }
        // locks that the browser refuses tell nothing: the channel still says when it is there
        const lookAgain = () => {
          look().catch(() => {
            isWaiting = false
            subscriber.next({type: 'elsewhere.gone'})
          })
        }
        channel?.addEventListener('message', ({data}: MessageEvent<unknown>) => {
          const message = report.safeParse(data).data
          if (message?.id !== id) return
          if (message.url === undefined) lookAgain()
          else subscriber.next({type: 'elsewhere.uploaded', url: message.url})
        })
        lookAgain()
        return () => {
          leaving.abort()
          channel?.close()
        }
      }),
  }
}
