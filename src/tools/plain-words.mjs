/*
 * The words that docs/glossary.md refuses, and the rule of the linter that refuses them in file names, comments,
 * declared names and titles of tests. A comment begins with a subject or a verb, as a sentence does. Names that other
 * code gives (imports, members, keys in quotes) are not checked: they may be of the wire or of a library.
 */

/** @typedef {{refused: string[], use: string}} Entry */
/**
 * A rule of the linter, which names its type in its tester alone. @typedef
 * {Parameters<import('oxlint/plugins-dev').RuleTester['run']>[1]} Rule
 */
/** @typedef {{line: number, column: number}} Position */

/** Refused in comments, in names and in the documentation. @type {Entry[]} */
export const refusedWords = [
  {refused: ['film', 'films', 'filmed', 'filming'], use: 'video'},
  {refused: ['picture', 'pictures', 'pictured'], use: 'image'},
  {refused: ['person', 'persons'], use: 'user'},
  {refused: ['whoever', 'somebody'], use: 'the role: user, caller, client, other tab'},
]

/** Refused in declared names and file names alone. @type {Entry[]} */
export const refusedNames = [
  {refused: ['place', 'places'], use: 'slot, for room; position, in a list; location, the address of a screen'},
  {refused: ['told'], use: 'a noun: report, message, notice'},
  {refused: ['late'], use: 'lazy, for what loads when it is first needed; overdue, for what missed its time'},
]

/** @param {Entry[]} entries */
const lookUp = (entries) => new Map(entries.flatMap(({refused, use}) => refused.map((word) => [word, use])))
const inText = lookUp(refusedWords)
const inNames = lookUp([...refusedWords, ...refusedNames])

/** `songFilms` and `song-films` are `song` and `films`. @param {string} name */
const partsOf = (name) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** Code in backticks and quoted words are names of something else. @param {string} text */
const withoutQuotes = (text) => text.replace(/`[^`]*`|"[^"\n]*"/g, ' ')

/** The refused words of a text, with those to use. @param {string} text @returns {{word: string, use: string}[]} */
export const refusedIn = (text) =>
  (
    withoutQuotes(text)
      .toLowerCase()
      .match(/\b[a-z]+\b/g) ?? []
  ).flatMap((word) => {
    const use = inText.get(word)
    return use === undefined ? [] : [{word, use}]
  })

/** The refused words of a name, with those to use. @param {string} name @returns {{word: string, use: string}[]} */
const refusedInName = (name) =>
  partsOf(name).flatMap((word) => {
    const use = inNames.get(word)
    return use === undefined ? [] : [{word, use}]
  })

const subordinate = /^[\s*]*(What|Of|Where|Who|Whom|Whose)\b/

/** The first word of a comment that begins as a part does. @param {string} comment @returns {string | undefined} */
const refusedOpening = (comment) => subordinate.exec(comment)?.[1]

const startOfFile = {start: {line: 1, column: 0}, end: {line: 1, column: 0}}

/** @type {Rule} */
export const plainWords = {
  meta: {
    type: 'suggestion',
    docs: {description: 'One word for one thing (docs/glossary.md)'},
    messages: {
      refused: '"{{word}}" is not a word of docs/glossary.md. Use: {{use}}.',
      opening: '"{{word}}" begins half a sentence. Begin the comment with its subject or its verb.',
    },
    schema: [],
  },
  create(context) {
    const {sourceCode} = context

    /** @param {{word: string, use: string}[]} matches @param {{start: Position, end: Position} | undefined} loc */
    const report = (matches, loc) => {
      for (const data of matches) {
        context.report({loc: loc ?? startOfFile, messageId: 'refused', data})
      }
    }

    /** Consecutive line comments are one. @param {ReturnType<typeof sourceCode.getAllComments>} comments */
    const checkComments = (comments) => {
      for (const [index, {type, value, loc}] of comments.entries()) {
        report(refusedIn(value), loc)
        const previous = comments[index - 1]
        const isContinued = type === 'Line' && previous?.type === 'Line' && loc.start.line === previous.loc.end.line + 1
        const word = isContinued ? undefined : refusedOpening(value)
        if (word !== undefined) context.report({loc, messageId: 'opening', data: {word}})
      }
    }

    /** @param {any} node the key of a declared member */
    const checkKey = (node) => {
      if (!node.computed && node.key.type === 'Identifier') report(refusedInName(node.key.name), node.key.loc)
    }

    /** @param {any} node the first argument of a test: a text with or without values in it */
    const checkTitle = (node) => {
      if (node?.type === 'Literal' && typeof node.value === 'string') report(refusedIn(node.value), node.loc)
      else if (node?.type === 'TemplateLiteral')
        for (const {value} of node.quasis) report(refusedIn(value.cooked), node.loc)
    }

    return {
      CallExpression({callee, arguments: [title]}) {
        if (testFunctions.has(calledName(callee) ?? '')) checkTitle(title)
      },
      Program() {
        const fileName = context.filename.split(/[/\\]/).at(-1) ?? ''
        report(refusedInName(fileName.replace(/\.\w+$/, '')), undefined)
        checkComments(sourceCode.getAllComments())

        const variables = sourceCode.scopeManager.scopes.flatMap((scope) => scope.variables)
        const names = new Set(
          variables
            .filter(({defs}) => !defs.some(({node}) => node.type === 'ImportSpecifier' && isSameName(node)))
            .flatMap(({identifiers}) => identifiers),
        )
        for (const {name, loc} of names) report(refusedInName(name), loc)
      },
      PropertyDefinition: checkKey,
      MethodDefinition: checkKey,
      TSPropertySignature: checkKey,
      TSMethodSignature: checkKey,
    }
  },
}

const testFunctions = new Set(['describe', 'it', 'test'])

/** `test` of `test.skip(…)` and of `test.each(…)(…)`. @param {any} callee @returns {string | undefined} */
const calledName = (callee) => {
  if (callee.type === 'MemberExpression') return calledName(callee.object)
  if (callee.type === 'CallExpression') return calledName(callee.callee)
  return callee.type === 'Identifier' ? callee.name : undefined
}

/** The name is given by the module it comes from. @param {any} specifier */
const isSameName = ({imported, local}) => imported.name === local.name
