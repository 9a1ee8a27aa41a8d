import {basename} from 'node:path'

/** @type {Map<string, string>} */
const styleFiles = new Map()

/**
 * Class names of CSS Modules as `<file>-<class>`: the same in every build, and readable.
 * @param {string} name
 * @param {string} path
 */
export function classNameOf(name, path) {
  const file = basename(path, '.module.css')
  const other = styleFiles.get(file) ?? path
  if (other !== path) throw new Error(`${other} and ${path} would share the names of their classes: rename one`)
  styleFiles.set(file, path)
  return `${file}-${name}`
}
