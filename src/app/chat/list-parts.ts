import {loadPart} from '#ui/load-part.ts'
import type {startExport as exportStarter} from './export.ts'
import type {startSearch as searchStarter} from './search.ts'

/*
 * The parts of the conversation list that load when they are first wanted. With the code of its rows: the first script
 * does not name these files.
 */

export const startSearch = async (...input: Parameters<typeof searchStarter>) =>
  (await loadPart(() => import('./search.ts'))).startSearch(...input)

export const startExport = async (...input: Parameters<typeof exportStarter>) =>
  (await loadPart(() => import('./export.ts'))).startExport(...input)
