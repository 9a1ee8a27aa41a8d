import type {ToolManifest} from '../logic/root-deps.ts'

/** What the media tools are; a file of its own, which the first screen of a chat does not load. */
export const loadTools = async (): Promise<ToolManifest> => {
  const {identities, loadTool} = await import('virtual:media-tools')
  return {identities, loadTool: async (id) => (await loadTool[id]?.())?.tool}
}
