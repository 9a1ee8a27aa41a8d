import {basename} from 'node:path'

/*
 * What the client's build leaves out of the first screen (docs/benchmarks.md names its bytes). Nothing here changes what
 * anybody sees; `npm run dev` works without it.
 */

/**
 * @param {string} name
 * @param {RegExp} files
 * @param {(code: string) => string} rewrite
 * @returns {import('vite').Plugin}
 */
const rewriting = (name, files, rewrite) => ({
  name,
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => (files.test(id) ? rewrite(code) : undefined),
})

/** Descriptions of states are for the inspector and for readers; no build holds the inspector (docs/inspecting.md). */
const withoutDescriptions = rewriting('atrium-descriptions', /\/machines\/[^?]*\.ts$/, (code) =>
  code.replace(/\bdescription:\s*'(?:[^'\\\n]|\\.)*',?/g, ''),
)

/** Keys of an icon's shapes, which never change places: random letters that do not compress (0.8 KB). */
const withoutIconKeys = rewriting('atrium-icon-keys', /\/lucide-react\/dist\/esm\/icons\//, (code) =>
  code.replace(/,\s*key: "\w+"/g, ''),
)

/** @type {import('vite').Plugin} Comments and indentation of the page. */
const withoutPageComments = {
  name: 'atrium-page-comments',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace(/<!--[^]*?-->/g, '').replace(/\s*\n\s*/g, '\n'),
  },
}

export const slimPlugins = [withoutDescriptions, withoutIconKeys, withoutPageComments]

/** @type {Map<string, string>} */
const styleFiles = new Map()

/**
 * Class names of CSS Modules as `<file>-<class>`: the same in every build, and they compress where a hash does not (0.7 KB).
 * @param {string} name
 * @param {string} path
 */
export function classNameOf(name, path) {
  const file = basename(path, '.module.css')
  const known = styleFiles.get(file) ?? path
  if (known !== path) throw new Error(`${known} and ${path} would share the names of their classes: rename one`)
  styleFiles.set(file, path)
  return `${file}-${name}`
}
