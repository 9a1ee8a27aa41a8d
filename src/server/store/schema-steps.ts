/**
 * One migration. `expand` adds what servers of the previous version ignore, so that they can run beside it; `contract`
 * removes or tightens what servers of version `needs` and later do not use (docs/upgrading.md). The migrations of 0.1.0
 * are the `baseline`: no other node ran beside it.
 */
export type SchemaStep = {name: string; text: string} & (
  | {kind: 'baseline'}
  | {kind: 'expand'}
  | {kind: 'contract'; needs: string}
)

const lastOfBaseline = '0023'

/** Reads what the first line of the file says: `-- expand`, or `-- contract: needs 0.3.0`. */
export function readStep(name: string, text: string): SchemaStep {
  if (name.slice(0, 4) <= lastOfBaseline) return {name, text, kind: 'baseline'}
  const [, kind, needs] = /^-- (?:(expand)|contract: needs (\d+\.\d+\.\d+))\n/.exec(text) ?? []
  if (kind === 'expand') return {name, text, kind}
  if (needs !== undefined) return {name, text, kind: 'contract', needs}
  throw new Error(`Migration ${name} must begin with "-- expand" or "-- contract: needs <version>"`)
}

/** All migrations by number; bundled as text, so that the built server needs no folder beside it. */
export const schemaSteps: readonly SchemaStep[] = Object.entries(
  import.meta.glob<string>('./migrations/*.sql', {query: '?raw', import: 'default', eager: true}),
)
  .map(([path, text]) => readStep(path.replace(/^.*\/|\.sql$/g, ''), text))
  .sort((a, b) => a.name.localeCompare(b.name))
