import {analyse} from 'scslre'

/*
 * A regular expression reads text of strangers (questions, answers, imports), so its time grows with the length of the
 * text and not with its square: a text of 400,000 characters would hold a page for minutes, and the server for all its
 * users (security R31, R06).
 */

/** Sentences for the parts of an expression whose time is more than linear. @param {string} source @param {string} flags */
const slowParts = (source, flags) =>
  analyse({source, flags})
    .reports.filter(({type}) => type !== 'Move' || !flags.includes('y'))
    .map(({type, character, exponential}) => {
      const time = exponential ? 'Exponential' : 'Quadratic'
      const advice =
        type === 'Move'
          ? 'Each of them is a start: begin with a lookbehind that refuses the same.'
          : 'Two parts take them: let only one do so.'
      return `${time} time for a text of many /${character.literal.source}/. ${advice}`
    })

/** The text of a literal string, also of a template without expressions. @param {any} node */
const literalText = (node) => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  const template = node?.type === 'TaggedTemplateExpression' ? node.quasi : node
  if (template?.type !== 'TemplateLiteral' || template.expressions.length > 0) return undefined
  return node === template ? template.quasis[0].value.cooked : template.quasis[0].value.raw
}

/** @type {import('./plain-words.mjs').Rule} */
export const linearExpressions = {
  meta: {
    type: 'problem',
    docs: {description: 'Regular expressions take linear time'},
    schema: [],
  },
  create(context) {
    /** @param {any} node @param {any} callee @param {any[]} values */
    const checkCall = (node, callee, [pattern, flags]) => {
      const source = callee.name === 'RegExp' ? literalText(pattern) : undefined
      if (source === undefined) return
      for (const message of slowParts(source, literalText(flags) ?? '')) context.report({node, message})
    }
    return {
      Literal(node) {
        if (!('regex' in node)) return
        for (const message of slowParts(node.regex.pattern, node.regex.flags)) context.report({node, message})
      },
      CallExpression: (node) => checkCall(node, node.callee, node.arguments),
      NewExpression: (node) => checkCall(node, node.callee, node.arguments),
    }
  },
}
