import {ComposerSettings} from '#features/chat/composer-settings.tsx'

/** What the settings say about the chat. */
export const ChatSettings = () => <ComposerSettings />
