import {linearExpressions} from './linear-expressions.mjs'
import {nounVariables} from './noun-variables.mjs'
import {plainWords} from './plain-words.mjs'

/** Untrusted text reaches the page as text or through the renderer (R01). @type {import('./plain-words.mjs').Rule} */
const noSourceDocument = {
  create: (context) => ({
    JSXAttribute(node) {
      if (node.name.name === 'srcDoc') context.report({node, message: 'Show untrusted text as text: srcDoc runs it.'})
    },
  }),
}

/** Our own rules: `.oxlintrc.json` turns them on. */
export default {
  meta: {name: 'atrium'},
  rules: {
    'plain-words': plainWords,
    'noun-variables': nounVariables,
    'no-source-document': noSourceDocument,
    'linear-expressions': linearExpressions,
  },
}
