/** The chat models of the specification (spec §3), in the order of `contract/chat` §5. */
export const modelGroups = ['chatgpt', 'deepseek', 'grok'] as const
export type ModelGroup = (typeof modelGroups)[number]

export type ChatModel = {
  name: string
  modelGroup: ModelGroup
  icon: ModelGroup
  /** Offered in the picker. A back end that lists what it serves overrules this flag. */
  enabled: boolean
  isFileSupported: boolean
  isImageSupported: boolean
}

const define = (modelGroup: ModelGroup, name: string, flags = ''): ChatModel => ({
  name,
  modelGroup,
  icon: modelGroup,
  enabled: flags.includes('e'),
  isFileSupported: flags.includes('f'),
  isImageSupported: flags.includes('i'),
})

/** Flags: e = enabled, f = files, i = images. */
export const chatModels: readonly ChatModel[] = [
  define('chatgpt', 'gpt-5-all', 'efi'),
  define('chatgpt', 'gpt-5', 'i'),
  define('chatgpt', 'gpt-5-mini', 'fi'),
  define('chatgpt', 'gpt-4o', 'i'),
  define('chatgpt', 'gpt-4o-mini', 'i'),
  define('chatgpt', 'gpt-4o-all', 'ei'),
  define('chatgpt', 'gpt-4-all', 'fi'),
  define('chatgpt', 'gpt-4o-image', 'i'),
  define('chatgpt', 'o3', 'fi'),
  define('chatgpt', 'o4-mini', 'fi'),
  define('chatgpt', 'o1-mini', 'fi'),
  define('deepseek', 'deepseek-v3', 'e'),
  define('deepseek', 'deepseek-r1', 'e'),
  define('grok', 'grok-4', 'e'),
  define('grok', 'grok-3', 'e'),
  define('grok', 'grok-3-reasoning', 'e'),
  define('grok', 'grok-3-deepsearch', 'e'),
]
