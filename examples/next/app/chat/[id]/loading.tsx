import { Skeleton } from 'capstan/components'

export default function Loading() {
  return <Skeleton />
}
