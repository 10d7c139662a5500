import type { ThreadListStrings } from './thread-list-strings.ts'

/** The strings of `ThreadList` in Chinese. */
export const chineseThreads: ThreadListStrings = {
  lang: 'zh-Hans',
  label: '对话',
  search: '搜索对话',
  none: '没有匹配的对话',
  empty: '还没有对话',
  loading: '正在加载对话',
  untitled: '无标题',
  running: '正在回复…',
  awaitingInput: '正在等待你',
  failed: '失败',
  unread: '新',
  create: '新对话',
  rename: (title) => `重命名 ${title}`,
  title: '标题',
  remove: (title) => `删除 ${title}`,
  removed: (title) => `已删除 ${title}`,
  undo: '撤销',
  dismiss: '关闭',
  notSaved: {
    unavailable: '你的浏览器阻止了存储。关闭此页面后，对话将会丢失。',
    full: '存储空间已满。关闭此页面后，新消息将会丢失。',
    newer: '此应用已在另一个标签页中更新。请重新加载以继续保存对话。',
    failed: '无法在此设备上保存对话。关闭此页面后，新消息将会丢失。',
    'signed-out': '你已退出登录。对话不会被保存。',
  },
}
