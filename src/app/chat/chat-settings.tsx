import {ComposerSettings} from '#features/chat/composer-settings.tsx'

/** The chat's part of the settings. */
export const ChatSettings = () => <ComposerSettings />
