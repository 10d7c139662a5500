import { notFound } from 'next/navigation'
import { historyOf } from '../../history'
import { RiverChat } from './river-chat'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export default async function ConversationPage({ params }: PageProps<'/chat/[id]'>) {
  const { id } = await params
  if (!UUID.test(id)) notFound()
  return <RiverChat id={id} history={await historyOf(id)} />
}
