// Parts that views load when they first need them: their first load takes seconds on a busy machine, and is no wait of
// a test.
import '#features/chat/list/conversation-dialogs.tsx'
import '#features/chat/list/conversation-rows.tsx'
import '#features/chat/list/export-dialog.tsx'
import '#features/chat/list/labels-dialog.tsx'
import '#features/chat/list/search-results.tsx'
import '#features/chat/list/several-bar.tsx'
import '#features/chat/list/windowed-conversations.tsx'
import '#features/chat/thread-views.ts'
