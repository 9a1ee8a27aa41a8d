import {minify} from 'vite'

const opening = '<script id="boot">'
const closing = '</script>'

/** Comments and indentation of the page's markup are for readers of `index.html` alone. @param {string} html */
const withoutCommentsAndIndentation = (html) => html.replace(/<!--[\s\S]*?-->/g, '').replace(/(?<!\s)\s*\n\s*/g, '\n')

/**
 * Vite minifies the scripts that a page names and leaves the inline ones alone. The boot script of `index.html` goes
 * out with every page, so a build minifies it like the others, and the page around it.
 * @returns {import('vite').Plugin}
 */
export const bootScriptPlugin = () => ({
  name: 'atrium-boot-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'pre',
    async handler(html) {
      const start = html.indexOf(opening) + opening.length
      const end = html.indexOf(closing, start)
      if (start < opening.length || end < 0) throw new Error('index.html has no boot script')
      const {code, errors} = await minify('boot.js', html.slice(start, end), {module: false})
      if (errors.length > 0) throw new Error(errors.map(({message}) => message).join('\n'))
      const [before, after] = [html.slice(0, start), html.slice(end)].map(withoutCommentsAndIndentation)
      return `${before}${code}${after}`
    },
  },
})
