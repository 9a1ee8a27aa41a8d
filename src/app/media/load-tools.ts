import {mediaTools} from 'virtual:media-tool-list'
import {loadPart} from '#ui/load-part.ts'
import type {ToolManifest} from '../logic/root-deps.ts'
import type {PartLoaders} from '../locale-messages.ts'

/** Identities and loaders of the media tools; a file of its own, which the first screen of a chat does not load. */
export const loadTools = async (): Promise<ToolManifest> => {
  const {identities, loadTool} = await loadPart(() => import('virtual:media-tools'))
  return {identities, loadTool: (id) => loadPart(async () => loadTool[id]?.())}
}

/** The words of each tool, loaded when it is opened. */
export const toolWords: PartLoaders = Object.fromEntries(
  mediaTools.map(({id}) => [
    id,
    async (locale: string) => {
      const {loadTool} = await loadPart(() => import('virtual:media-tools'))
      return (await loadTool[id]?.())?.words[locale]?.() ?? {default: {}}
    },
  ]),
)
