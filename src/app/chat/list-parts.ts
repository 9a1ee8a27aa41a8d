import {loadPart} from '#ui/load-part.ts'

/*
 * What the list of conversations starts when it is first wanted. With the code of its rows: the first script does not
 * name these files.
 */

type Search = typeof import('./search.ts')
type Export = typeof import('./export.ts')

export const startSearch = async (...given: Parameters<Search['startSearch']>) =>
  (await loadPart(() => import('./search.ts'))).startSearch(...given)

export const startExport = async (...given: Parameters<Export['startExport']>) =>
  (await loadPart(() => import('./export.ts'))).startExport(...given)
