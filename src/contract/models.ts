/** The chat models of the specification (spec §3), in the order of `contract/chat` §5. */
export const modelGroups = ['chatgpt', 'deepseek', 'grok'] as const
export type ModelGroup = (typeof modelGroups)[number]
/** Brands, the same in each language. */
export const modelGroupNames: Record<ModelGroup, string> = {chatgpt: 'ChatGPT', deepseek: 'DeepSeek', grok: 'Grok'}

export type ChatModel = {
  name: string
  /** The same in each language (docs/decisions/0017-model-names.md). */
  label: string
  modelGroup: ModelGroup
  /** Offered in the picker. A back end that lists what it serves overrules this flag. */
  enabled: boolean
  isFileSupported: boolean
  isImageSupported: boolean
}

const define = (modelGroup: ModelGroup, name: string, label: string, flags = ''): ChatModel => ({
  name,
  label,
  modelGroup,
  enabled: flags.includes('e'),
  isFileSupported: flags.includes('f'),
  isImageSupported: flags.includes('i'),
})

/** Flags: e = enabled, f = files, i = images. */
export const chatModels: readonly ChatModel[] = [
  define('chatgpt', 'gpt-5-all', 'GPT-5', 'efi'),
  define('chatgpt', 'gpt-5', 'GPT-5 basic', 'i'),
  define('chatgpt', 'gpt-5-mini', 'GPT-5 mini', 'fi'),
  define('chatgpt', 'gpt-4o', 'GPT-4o basic', 'i'),
  define('chatgpt', 'gpt-4o-mini', 'GPT-4o mini', 'i'),
  define('chatgpt', 'gpt-4o-all', 'GPT-4o', 'ei'),
  define('chatgpt', 'gpt-4-all', 'GPT-4', 'fi'),
  define('chatgpt', 'gpt-4o-image', 'GPT-4o image', 'i'),
  define('chatgpt', 'o3', 'o3', 'fi'),
  define('chatgpt', 'o4-mini', 'o4 mini', 'fi'),
  define('chatgpt', 'o1-mini', 'o1 mini', 'fi'),
  define('deepseek', 'deepseek-v3', 'DeepSeek V3', 'e'),
  define('deepseek', 'deepseek-r1', 'DeepSeek R1', 'e'),
  define('grok', 'grok-4', 'Grok 4', 'e'),
  define('grok', 'grok-3', 'Grok 3', 'e'),
  define('grok', 'grok-3-reasoning', 'Grok 3 Reasoning', 'e'),
  define('grok', 'grok-3-deepsearch', 'Grok 3 DeepSearch', 'e'),
]
