/** A calculation that cannot be done: the reason is a sentence for the person who typed it. */
export class ArithmeticError extends Error {}

type Token = {kind: 'number'; value: number} | {kind: 'name' | 'operator'; text: string}

const longestExpression = 400
const deepestNesting = 40
const constants = new Map([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
])
const functions = new Map<string, {arity: number | 'any'; apply: (...values: number[]) => number}>([
  ['sqrt', {arity: 1, apply: Math.sqrt}],
  ['cbrt', {arity: 1, apply: Math.cbrt}],
  ['abs', {arity: 1, apply: Math.abs}],
  ['round', {arity: 1, apply: Math.round}],
  ['floor', {arity: 1, apply: Math.floor}],
  ['ceil', {arity: 1, apply: Math.ceil}],
  ['ln', {arity: 1, apply: Math.log}],
  ['log', {arity: 1, apply: Math.log10}],
  ['exp', {arity: 1, apply: Math.exp}],
  ['sin', {arity: 1, apply: Math.sin}],
  ['cos', {arity: 1, apply: Math.cos}],
  ['tan', {arity: 1, apply: Math.tan}],
  ['min', {arity: 'any', apply: Math.min}],
  ['max', {arity: 'any', apply: Math.max}],
])

const tokenPattern = /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|(\*\*|[-+*/%^(),!×÷−·])|([a-zπ]+))/giy
const sameOperator: Record<string, string> = {'×': '*', '·': '*', '÷': '/', '−': '-', '**': '^'}

function tokenize(text: string): Token[] {
  if (text.length > longestExpression) throw new ArithmeticError(`This is longer than ${longestExpression} characters.`)
  // 1,234,567 is one number; a comma between arguments has a space or a parenthesis near
  const source = text.replace(/\d{1,3}(?:,\d{3})+(?![\d,])/g, (number) => number.replaceAll(',', '')).trim()
  const tokens: Token[] = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < source.length) {
    const at = tokenPattern.lastIndex
    const [, number, operator, name] = tokenPattern.exec(source) ?? []
    if (number !== undefined) tokens.push({kind: 'number', value: Number(number)})
    else if (operator !== undefined) tokens.push({kind: 'operator', text: sameOperator[operator] ?? operator})
    else if (name !== undefined) tokens.push({kind: 'name', text: name.toLowerCase()})
    else throw new ArithmeticError(`"${source.slice(at).trim().slice(0, 12)}" is not part of a calculation.`)
  }
  return tokens
}

/**
 * The value of a calculation: + − * / % (rest, or percent after a number) ^ ! parentheses, a few functions, pi and e.
 * Own parser, so that nothing typed is ever run as code. Numbers are doubles.
 *
 * @throws ArithmeticError
 */
export function evaluate(text: string): number {
  const tokens = tokenize(text)
  let position = 0
  let depth = 0

  const isOperator = (symbol: string, at = position) => {
    const token = tokens[at]
    return token?.kind === 'operator' && token.text === symbol
  }
  const take = (symbol: string): boolean => {
    if (!isOperator(symbol)) return false
    position += 1
    return true
  }
  const expect = (symbol: string) => {
    if (!take(symbol)) throw new ArithmeticError(`There is a "${symbol}" missing.`)
  }
  const startsOperand = (at: number) => {
    const token = tokens[at]
    return token !== undefined && (token.kind !== 'operator' || token.text === '(')
  }

  const sum = (): number => {
    let value = product()
    for (;;) {
      if (take('+')) value += product()
      else if (take('-')) value -= product()
      else return value
    }
  }
  const product = (): number => {
    let value = unary()
    for (;;) {
      if (take('*')) value *= unary()
      else if (take('/')) value = divide(value, unary())
      else if (isOperator('%') && startsOperand(position + 1)) {
        position += 1
        value = rest(value, unary())
      } else return value
    }
  }
  const unary = (): number => {
    if (take('-')) return -unary()
    if (take('+')) return unary()
    return power()
  }
  const power = (): number => {
    const base = postfix()
    // to the right, and under a sign on the left: −2^2 is −4, 2^−1 is 0.5
    return take('^') ? base ** unary() : base
  }
  const postfix = (): number => {
    let value = operand()
    for (;;) {
      if (take('!')) value = factorial(value)
      else if (isOperator('%') && !startsOperand(position + 1)) {
        position += 1
        value /= 100
      } else return value
    }
  }
  const group = <T>(read: () => T): T => {
    if ((depth += 1) > deepestNesting) throw new ArithmeticError('This is nested too deeply.')
    const value = read()
    expect(')')
    depth -= 1
    return value
  }
  const operand = (): number => {
    const token = tokens[position]
    position += 1
    if (token === undefined) throw new ArithmeticError('The calculation ends too early.')
    if (token.kind === 'number') return token.value
    if (token.kind === 'operator') {
      if (token.text === '(') return group(sum)
      throw new ArithmeticError(`There is a number missing before "${token.text}".`)
    }
    const constant = constants.get(token.text)
    if (constant !== undefined) return constant
    const known = functions.get(token.text)
    if (known === undefined) throw new ArithmeticError(`"${token.text}" is not a function here.`)
    expect('(')
    const values = group(() => {
      const list = [sum()]
      while (take(',')) list.push(sum())
      return list
    })
    if (known.arity !== 'any' && values.length !== known.arity) {
      throw new ArithmeticError(`${token.text} takes one number.`)
    }
    return known.apply(...values)
  }

  const value = sum()
  const left = tokens[position]
  if (left !== undefined) {
    throw new ArithmeticError(
      `"${left.kind === 'number' ? left.value : left.text}" stands where an operator should be.`,
    )
  }
  if (Number.isNaN(value)) throw new ArithmeticError('This has no real result.')
  if (!Number.isFinite(value)) throw new ArithmeticError('The result is too large.')
  return value
}

function divide(dividend: number, divisor: number): number {
  if (divisor === 0) throw new ArithmeticError('Division by zero has no result.')
  return dividend / divisor
}

function rest(dividend: number, divisor: number): number {
  if (divisor === 0) throw new ArithmeticError('Division by zero has no result.')
  return dividend % divisor
}

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 170) {
    throw new ArithmeticError('A factorial needs a whole number from 0 to 170.')
  }
  let result = 1
  for (let factor = 2; factor <= value; factor += 1) result *= factor
  return result
}

/** A result as people read it: whole numbers exactly, others with 12 significant digits; groups of three. */
export function formatNumber(value: number): string {
  const size = Math.abs(value)
  if (!Number.isSafeInteger(value) && (size >= 1e15 || size < 1e-6)) {
    return Number(value.toPrecision(12)).toExponential().replace('e+', 'e')
  }
  const [whole = '', fraction] = String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(12))).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** What is left of a question when it is a calculation, else `undefined`: an operator or a function must be in it. */
export function findCalculation(question: string): string | undefined {
  const text = question
    .trim()
    .replace(/^(?:what(?:'s| is)|how much is|calculate|compute|evaluate|solve)\s+/i, '')
    .replace(/[\s=?.]+$/, '')
    .replace(/(\d)\s*%\s+of\s+/gi, '$1% * ')
    .replace(/\bplus\b/gi, '+')
    .replace(/\bminus\b/gi, '-')
    .replace(/\btimes\b|\bmultiplied by\b/gi, '*')
    .replace(/\bdivided by\b|\bover\b/gi, '/')
    .replace(/(\d)\s*[xX]\s*(?=\d)/g, '$1 * ')
  if (!/\d|\bpi\b|π/i.test(text) || !/[-+*/^%!×÷−·]|\b[a-z]{2,5}\s*\(/i.test(text)) return undefined
  // a date or a phone number is not a subtraction
  if (/^\d{4}-\d{1,2}-\d{1,2}$/.test(text) || /^[\d-]{9,}$/.test(text)) return undefined
  return /^[\d\s+\-*/^%!×÷−·().,a-zπ]+$/i.test(text) && !/[a-z]{6,}/i.test(text) ? text : undefined
}
