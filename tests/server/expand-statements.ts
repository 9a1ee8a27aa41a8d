import {parse} from 'libpg-query'

/*
 * An expand step runs while servers of the version before go on beside it, and must not hold a table for long: it may
 * make new things, and add columns that nobody has to fill in. Anything else needs a reason: a line `-- safe: <why>`
 * before the statement.
 */

/**
 * Statements that touch nothing that older servers use. One that calls a function or writes many rows needs a reason.
 */
const harmless = new Set(['CreateStmt', 'CreateSeqStmt', 'CreateEnumStmt', 'ViewStmt', 'CommentStmt', 'InsertStmt'])

type Node = Record<string, unknown>
const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {}) // as: checked
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Sentences about statements of `text` that an expand step may not hold. */
export async function faultsOfExpand(text: string): Promise<string[]> {
  const faults: string[] = []
  const made = new Set<unknown>()
  for (const part of text.split('--> statement-breakpoint')) {
    const isExplained = /^\s*(--(?! safe:).*\n\s*)*-- safe: \S.+\n/.test(part)
    for (const statement of listOf(nodeOf(await parse(part)).stmts)) {
      const [kind = '', body] = Object.entries(nodeOf(nodeOf(statement).stmt))[0] ?? []
      if (kind === 'CreateStmt') made.add(nameOf(nodeOf(body).relation))
      if (isExplained) continue
      const fault = faultOf(kind, nodeOf(body), made)
      if (fault !== undefined) faults.push(fault)
    }
  }
  return faults
}

const nameOf = (relation: unknown) => nodeOf(relation).relname

function faultOf(kind: string, body: Node, made: ReadonlySet<unknown>): string | undefined {
  if (harmless.has(kind)) return undefined
  if (kind === 'IndexStmt' || kind === 'CreatePolicyStmt' || kind === 'CreateTrigStmt')
    return made.has(nameOf(body.relation ?? body.table)) ? undefined : `${kind} on a table that exists`
  if (kind === 'CreateFunctionStmt') return body.replace === true ? 'a function that exists is replaced' : undefined
  if (kind !== 'AlterTableStmt') return kind
  if (made.has(nameOf(body.relation))) return undefined
  return listOf(body.cmds)
    .map((command) => faultOfChange(nodeOf(nodeOf(command).AlterTableCmd)))
    .find((fault) => fault !== undefined)
}

function faultOfChange({subtype, def}: Node): string | undefined {
  if (subtype !== 'AT_AddColumn') return String(subtype)
  const constraints = listOf(nodeOf(nodeOf(def).ColumnDef).constraints).map((each) => nodeOf(nodeOf(each).Constraint))
  const kinds = constraints.map(({contype}) => contype)
  const byDefault = constraints.find(({contype}) => contype === 'CONSTR_DEFAULT')
  // a constant stands in the catalogue; anything else is written into every row
  if (byDefault !== undefined && !isConstant(byDefault.raw_expr)) return 'a column whose default is no constant'
  if (kinds.includes('CONSTR_NOTNULL') && byDefault === undefined) return 'a column that older servers do not fill in'
  const other = kinds.find((each) => each !== 'CONSTR_NOTNULL' && each !== 'CONSTR_NULL' && each !== 'CONSTR_DEFAULT')
  return typeof other === 'string' ? `a column with ${other}` : undefined
}

function isConstant(expression: unknown): boolean {
  const [kind, body] = Object.entries(nodeOf(expression))[0] ?? []
  return kind === 'A_Const' || (kind === 'TypeCast' && isConstant(nodeOf(body).arg))
}
