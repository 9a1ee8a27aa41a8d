import AxeBuilder from '@axe-core/playwright'
import type {Page} from '@playwright/test'

/** Everything that axe finds wrong on the page, whatever its impact. */
export async function axeFaults(page: Page): Promise<{id: string; nodes: (string | undefined)[][]}[]> {
  const {violations} = await new AxeBuilder({page}).analyze()
  return violations.map(({id, nodes}) => ({
    id,
    nodes: nodes.map(({target, failureSummary}) => [target.join(' '), failureSummary]),
  }))
}
