import type {ServedModel} from '#contract/management.ts'
import {chatModels} from '#contract/models.ts'
import type {ModelGroupName, ProviderConfig} from '../../config.ts'

const notChat =
  /embed|rerank|whisper|tts|transcribe|audio|realtime|moderation|dall-e|gpt-image|imagine|image-gen|sora|video|davinci|babbage|-instruct-0|bge-|nomic-/i
const seesImages =
  /vision|llava|-vl|vl-|gemma-?3|gemma-?4|pixtral|minicpm-v|moondream|gpt-4o|gpt-4\.1|gpt-5|^o[134]|grok-4|llama-?4|multimodal/i

/** The most bytes of a text file, which becomes a part of its question. */
export const longestText = 512 * 1024
/** The most bytes of all files of one request together. */
export const mostFileBytes = 20 * 1024 * 1024

/** Servers list all they have; these names cannot hold a conversation. */
export const isChatModel = (name: string): boolean =>
  chatModels.some((model) => model.name === name) || !notChat.test(name)

/**
 * A served model as the catalogue shows it. The abilities of a model of the specification are known; for others the
 * name tells whether it reads images. Text files are always possible: they become part of the question.
 */
export function describeModel(name: string, config: Pick<ProviderConfig, 'name' | 'groups' | 'local'>): ServedModel {
  const listedModel = chatModels.find((model) => model.name === name)
  return {
    name,
    label: listedModel === undefined ? name.replace(/^models\//, '').replace(/:latest$/, '') : undefined,
    group:
      listedModel !== undefined && config.groups.includes(listedModel.modelGroup)
        ? listedModel.modelGroup
        : groupOf(name, config.groups),
    provider: config.name,
    enabled: true,
    local: config.local,
    isFileSupported: listedModel?.isFileSupported ?? true,
    isImageSupported: listedModel?.isImageSupported ?? seesImages.test(name),
    longestText,
    mostFileBytes,
  }
}

function groupOf(name: string, groups: readonly ModelGroupName[]): ModelGroupName {
  const dialect: ModelGroupName = /deepseek/i.test(name) ? 'deepseek' : /grok/i.test(name) ? 'grok' : 'chatgpt'
  return groups.includes(dialect) ? dialect : (groups[0] ?? 'chatgpt')
}
