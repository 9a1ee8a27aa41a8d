/** Most attachments of a message (contract/chat §6). */
export const mostFiles = 10
