import type {AnyScreen} from './any-tool.ts'
import type {Media} from './media.context.ts'
import {wells} from './feed/wells.ts'
import {gridResults, songResults} from './result-lists.ts'
import {waitingRows} from './songs/waiting-rows.ts'

/**
 * Who comes to the form may send it: what shows a request on its way, or one that failed, is there by then. `files`: of a
 * form that takes some; what sends them is there before the first is chosen.
 */
export function prepareRequest({results}: Pick<AnyScreen, 'results'>, files?: Pick<Media['files'], 'prepare'>): void {
  const parts = results === 'songs' ? [songResults, waitingRows] : [gridResults, wells]
  for (const {load} of parts) load().catch(() => undefined) // asked for again by the card itself
  files?.prepare().catch(() => undefined) // asked for again with the first file
}
