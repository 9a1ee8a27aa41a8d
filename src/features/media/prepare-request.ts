import type {AnyScreen} from './any-tool.ts'
import type {Media} from './media.context.ts'
import {wells} from './feed/load-task-well.ts'
import {gridResults, songResults} from './result-lists.ts'
import {waitingRows} from './songs/waiting-rows.ts'

/**
 * Loads the views of a running or failed request before the user sends the form. `files`: their upload, of a form that
 * takes some, is loaded too, before the first is chosen.
 */
export function prepareRequest({results}: Pick<AnyScreen, 'results'>, files?: Pick<Media['files'], 'prepare'>): void {
  const parts = results === 'songs' ? [songResults, waitingRows] : [gridResults, wells]
  for (const {load} of parts) load().catch(() => undefined) // asked for again by the card itself
  files?.prepare().catch(() => undefined) // asked for again with the first file
}
