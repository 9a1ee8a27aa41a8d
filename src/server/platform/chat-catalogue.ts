import type {ServedModel} from '#contract/management.ts'

/**
 * The present models of the AI service; filled into `service.metadata` of the chat service at each read, so that
 * the models a client offers are those that would answer (implemented by `ai/catalogue.ts`).
 */
export type ChatCatalogue = {
  models: () => Promise<readonly ServedModel[]>
  /** Extensions of the wire (docs/architecture.md, "Answers on the wire"). */
  capabilities: readonly string[]
  /** Only the sandbox answers: no language model is configured. */
  sandbox: boolean
}
