/*
 * A variable is named for what it holds: `storedTask`, not `stored` (docs/glossary.md, "How we write"). The rule
 * refuses the participles that say least. What other code gives (members, keys, destructured names) and functions may.
 */

const participles = new Set([
  ...['answered', 'arrived', 'asked', 'begun', 'broken', 'chosen', 'compiled', 'created', 'edited', 'ended'],
  ...['expected', 'exported', 'failed', 'filled', 'found', 'given', 'gone', 'heard', 'held', 'joined', 'kept', 'known'],
  ...['listed', 'loaded', 'made', 'marked', 'measured', 'moved', 'named', 'offered', 'opened', 'parsed', 'prepared'],
  ...['reached', 'replaced', 'replayed', 'restored', 'scored', 'seen', 'sent', 'served', 'shared', 'shown', 'spent'],
  ...['started', 'stored', 'taken', 'tried', 'typed', 'wanted', 'watched', 'written'],
])

/** @type {import('./plain-words.mjs').Rule} */
export const nounVariables = {
  meta: {
    type: 'suggestion',
    docs: {description: 'Variables are nouns (docs/glossary.md)'},
    messages: {refused: '"{{name}}" does not say what it is. Name what it holds: a noun.'},
    schema: [],
  },
  create(context) {
    /** @param {any} node a declared name, or a pattern of names of other code */
    const check = (node) => {
      if (node?.type === 'AssignmentPattern' || node?.type === 'RestElement') check(node.left ?? node.argument)
      else if (node?.type === 'ArrayPattern') node.elements.forEach(check)
      else if (node?.type === 'Identifier' && participles.has(node.name))
        context.report({node, messageId: 'refused', data: {name: node.name}})
    }
    /** @param {any} node */
    const checkParameters = ({params}) => params.forEach(check)
    /** @param {any} init */
    const isFunction = (init) => init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression'
    return {
      VariableDeclarator({id, init}) {
        if (!isFunction(init)) check(id)
      },
      FunctionDeclaration: checkParameters,
      FunctionExpression: checkParameters,
      ArrowFunctionExpression: checkParameters,
    }
  },
}
