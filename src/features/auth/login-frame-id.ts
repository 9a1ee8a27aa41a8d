/** The frame whose messages count; the message stream finds it by this id (security R14). */
export const loginFrameId = 'login-frame'
