import type {BrowserContext, Page, Route} from '@playwright/test'

/** A task as the wire has it (contract/media §1.5). */
export type WireTask = {
  id: string
  type: string
  created_at: number
  started_at?: number
  finished_at?: number
  request: Record<string, unknown>
  response?: Record<string, unknown>
}
type Question = {action: string; id?: string; ids?: string[]; created_at_max?: number; limit?: number}

/** Unix seconds of a minute ago: what was asked for long before is hardly asked for any more. */
const someTime = Math.floor(Date.now() / 1_000) - 60

/** An image of Flux. Without `url` it still runs. */
export const fluxTask = (id: string, url?: string, position = 0): WireTask => ({
  id,
  type: 'images',
  created_at: someTime - position,
  started_at: someTime - position,
  request: {action: 'generate', model: 'flux-dev', prompt: id, count: 1},
  ...(url === undefined
    ? {}
    : {
        finished_at: someTime - position + 5,
        response: {success: true, task_id: id, data: [{prompt: id, image_url: url}]},
      }),
})

/**
 * The list of tasks of one tool as the test says it is, instead of the server's: it filters, pages and counts as the
 * contract has it, or fails with a status.
 */
export class ScriptedTasks {
  /** Newest first. */
  items: readonly WireTask[] = []
  /** Every question is refused with this status. */
  failure: number | undefined
  /** Tasks that come only with pages before a time, while the first question is answered with all `items` at once. */
  older: readonly WireTask[] = []
  /** Every question that was answered, in order. */
  readonly questions: Question[] = []

  static async on(page: Page | BrowserContext, service: string): Promise<ScriptedTasks> {
    const scripted = new ScriptedTasks()
    await page.route(`**/services/api/${service}/tasks`, (route) => scripted.respond(route))
    return scripted
  }

  /** Asked for what runs; the first page of a screen is another question. */
  get polls(): number {
    return this.questions.filter(({ids}) => ids !== undefined).length
  }

  /** Asked for pages before a time. */
  get olderPages(): number {
    return this.questions.filter(({created_at_max: before}) => before !== undefined).length
  }

  private async respond(route: Route): Promise<void> {
    // as: the API tests check what the app sends here
    const question = route.request().postDataJSON() as Question
    const [status, json] = this.answer(question)
    await route.fulfill({status, json})
    this.questions.push(question)
  }

  private answer({action, id, ids, created_at_max: before, limit = 30}: Question): [number, unknown] {
    const {failure, older} = this
    const items = [...this.items, ...older]
    if (failure !== undefined) return [failure, {error: {code: 'api_error', message: 'Scripted'}, success: false}]
    if (action === 'retrieve') {
      const task = items.find((known) => known.id === id)
      return task === undefined ? [404, {error: {code: 'not_found', message: 'No such task'}}] : [200, task]
    }
    const all = items
      .filter((task) => ids === undefined || ids.includes(task.id))
      .filter(({created_at: at}) => before === undefined || at <= before)
    const size = older.length > 0 && before === undefined ? this.items.length : limit
    return [200, {items: all.slice(0, size), count: all.length}]
  }
}
