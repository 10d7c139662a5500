import { ChatPage } from '../chat-page'

export default function Page() {
  return <ChatPage />
}
