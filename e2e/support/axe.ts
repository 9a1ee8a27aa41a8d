import AxeBuilder from '@axe-core/playwright'
import type {Page} from '@playwright/test'

/** Everything that axe finds wrong on the page, or in a part of it, whatever its impact. */
export async function axeFaults(page: Page, part?: string): Promise<{id: string; nodes: (string | undefined)[][]}[]> {
  const builder = new AxeBuilder({page})
  const {violations} = await (part === undefined ? builder : builder.include(part)).analyze()
  return violations.map(({id, nodes}) => ({
    id,
    nodes: nodes.map(({target, failureSummary}) => [target.join(' '), failureSummary]),
  }))
}
