/** The projects in the order of their files: tests of the server wait, and the checks of `npm test` run meanwhile. */
const projects = ['server', 'browser', 'unit']

/**
 * Files that take long, though some are small: one that begins last keeps one worker busy alone. Vitest orders files by
 * the durations of an earlier run; a clean clone has none.
 */
export const longFiles = [
  'server/start',
  'server/nodes',
  'server/nodes-clock',
  'server/store-embedded',
  'server/store-embedded-lock',
  'server/store-admin',
  'server/media-codes',
  'server/files-admin',
  'server/file-store',
  'server/auth-inviters',
  'server/files-stores',
  'sandbox/media-edits',
  'server/media-tools',
  'server/media-operations',
  'tools/scripts',
  'tools/fourteenth-tool',
  'tools/stages',
  'locales/message-format',
].map((name) => `/tests/${name}.test.ts`)

/** The position in the list, or its length. @param {readonly string[]} list @param {(item: string) => boolean} isIt */
const rankIn = (list, isIt) => {
  const index = list.findIndex(isIt)
  return index === -1 ? list.length : index
}

/**
 * The files of all projects as one queue: a free worker takes the next file, of the next project too. Groups of Vitest
 * (`sequence.groupOrder`) would wait for the last file of the group before.
 * @template {{project: {name: string}, moduleId: string}} File
 * @param {readonly File[]} files in the order of Vitest: by their durations in an earlier run, else by size
 * @returns {File[]}
 */
export function inOrder(files) {
  const ranked = files.map((file) => ({
    file,
    project: rankIn(projects, (name) => name === file.project.name),
    length: rankIn(longFiles, (ending) => file.moduleId.endsWith(ending)),
  }))
  ranked.sort((one, other) => one.project - other.project || one.length - other.length)
  return ranked.map(({file}) => file)
}
