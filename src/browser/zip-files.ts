import {downloadZip} from 'client-zip'
import {Observable} from 'rxjs'
import type {Log} from '#domain/log.ts'
import type {PackedFile, PackFact} from '#domain/packed-file.ts'
import {saveBlob} from './save-blob.ts'

type Packing = {archive: string; fetch: typeof fetch; log: Log}

/** Makes names unique on disks that ignore case: the second `a.png` becomes `a-2.png`. */
export function distinctNames(names: readonly string[]): string[] {
  const usedNames = new Set<string>()
  return names.map((name) => {
    const dot = name.lastIndexOf('.')
    const [base, extension] = dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)]
    let free = name
    for (let number = 2; usedNames.has(free.toLowerCase()); number += 1) free = `${base}-${number}${extension}`
    usedNames.add(free.toLowerCase())
    return free
  })
}

/**
 * Downloads files one after another into one archive, which is saved at the end; holds at most one file beside the
 * archive. A file that fails is reported and left out. Errors if none could be loaded.
 */
export const packFiles = (files: readonly PackedFile[], {archive, fetch, log}: Packing) =>
  new Observable<PackFact>((subscriber) => {
    const leaving = new AbortController()
    const {signal} = leaving
    const load = async (url: string) => {
      const answer = await fetch(url, {credentials: 'omit', signal})
      if (!answer.ok) throw new Error(`The file answered ${answer.status}`)
      return answer.blob()
    }
    let packedCount = 0
    async function* entries() {
      const names = distinctNames(files.map(({name}) => name))
      for (const [at, {url}] of files.entries()) {
        const name = names[at] ?? ''
        try {
          const input = await load(url)
          yield {name, input, lastModified: new Date()}
          packedCount += 1
          subscriber.next({type: 'file.packed'})
        } catch (error) {
          if (signal.aborted) throw error
          log('A file was left out of the archive', {name, error: String(error)})
          subscriber.next({type: 'file.failed', name})
        }
      }
    }
    const pack = async () => {
      const whole = await downloadZip(entries()).blob()
      if (signal.aborted) return
      if (packedCount === 0) throw new Error('None of the files could be loaded')
      saveBlob(whole, archive)
      subscriber.complete()
    }
    pack().catch((error: unknown) => subscriber.error(error))
    return () => leaving.abort()
  })
