import type { ReactNode } from 'react'

// The parts of React Native that a guide uses, as elements of a page: what they do with props is theirs, and what the guide does with
// the chat is the same.

interface Children {
  readonly children?: ReactNode
}

export const View = ({ children }: Children): ReactNode => <div>{children}</div>

export const Text = ({ children }: Children): ReactNode => <span>{children}</span>

interface ButtonProps {
  readonly title: string
  readonly disabled?: boolean
  readonly onPress: () => void
}

export const Button = ({ title, disabled, onPress }: ButtonProps): ReactNode => (
  <button type="button" disabled={disabled} onClick={onPress}>
    {title}
  </button>
)

interface TextInputProps {
  readonly value: string
  readonly onChangeText: (text: string) => void
}

export const TextInput = ({ value, onChangeText }: TextInputProps): ReactNode => (
  <input value={value} onChange={({ target }) => onChangeText(target.value)} />
)

interface FlatListProps<Item> {
  readonly data: readonly Item[]
  readonly keyExtractor: (item: Item) => string
  readonly renderItem: (row: { readonly item: Item }) => ReactNode
}

export function FlatList<Item>({ data, keyExtractor, renderItem }: FlatListProps<Item>): ReactNode {
  return data.map((item) => <div key={keyExtractor(item)}>{renderItem({ item })}</div>)
}
