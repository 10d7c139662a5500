import type { ThreadListWords } from './thread-list-words.ts'

/** The words of a thread list in German. */
export const germanThreads: ThreadListWords = {
  label: 'Unterhaltungen',
  search: 'Unterhaltung suchen',
  none: 'Keine Unterhaltung mit diesem Namen',
  empty: 'Noch keine Unterhaltungen',
  loading: 'Unterhaltungen werden geladen',
  untitled: 'Ohne Titel',
  running: 'Läuft',
  failed: 'Fehlgeschlagen',
  unread: 'Neu',
  create: 'Neue Unterhaltung',
  rename: (title) => `${title} umbenennen`,
  title: 'Titel',
  remove: (title) => `${title} löschen`,
  removed: (title) => `${title} gelöscht`,
  undo: 'Rückgängig',
  dismiss: 'Schließen',
  notKept: {
    unavailable: 'Dieser Browser speichert hier nichts. Unterhaltungen sind weg, wenn die Seite geschlossen wird.',
    full: 'Auf diesem Gerät ist kein Platz mehr. Neues ist weg, wenn die Seite geschlossen wird.',
    newer: 'Eine neuere Version dieser App ist offen. Lade die Seite neu, damit Unterhaltungen gespeichert werden.',
    failed: 'Unterhaltungen lassen sich auf diesem Gerät nicht speichern. Neues ist weg, wenn die Seite geschlossen wird.',
    'signed-out': 'Du bist abgemeldet. Nichts wird gespeichert.',
  },
}

/** The words of a thread list in Arabic. */
export const arabicThreads: ThreadListWords = {
  label: 'المحادثات',
  search: 'ابحث عن محادثة',
  none: 'لا توجد محادثة بهذا الاسم',
  empty: 'لا توجد محادثات بعد',
  loading: 'جارٍ تحميل المحادثات',
  untitled: 'بلا عنوان',
  running: 'قيد التشغيل',
  failed: 'فشلت',
  unread: 'جديد',
  create: 'محادثة جديدة',
  rename: (title) => `إعادة تسمية ${title}`,
  title: 'العنوان',
  remove: (title) => `حذف ${title}`,
  removed: (title) => `حُذفت ${title}`,
  undo: 'تراجع',
  dismiss: 'إغلاق',
  notKept: {
    unavailable: 'لا يحفظ هذا المتصفح شيئًا هنا. تزول المحادثات عند إغلاق الصفحة.',
    full: 'لم تبق مساحة على هذا الجهاز. يزول كل جديد عند إغلاق الصفحة.',
    newer: 'إصدار أحدث من هذا التطبيق مفتوح. أعد تحميل الصفحة لحفظ المحادثات.',
    failed: 'تعذّر حفظ المحادثات على هذا الجهاز. يزول كل جديد عند إغلاق الصفحة.',
    'signed-out': 'سجّلت الخروج. لا يُحفظ شيء.',
  },
}

/** The words of a thread list in Chinese. */
export const chineseThreads: ThreadListWords = {
  label: '对话',
  search: '查找对话',
  none: '没有这个名称的对话',
  empty: '还没有对话',
  loading: '正在加载对话',
  untitled: '无标题',
  running: '进行中',
  failed: '失败',
  unread: '新',
  create: '新对话',
  rename: (title) => `重命名 ${title}`,
  title: '标题',
  remove: (title) => `删除 ${title}`,
  removed: (title) => `已删除 ${title}`,
  undo: '撤销',
  dismiss: '关闭',
  notKept: {
    unavailable: '此浏览器不在这里保存任何内容。关闭页面后对话会消失。',
    full: '此设备上没有空间了。关闭页面后新内容会消失。',
    newer: '此应用的更新版本已打开。请重新加载页面以保存对话。',
    failed: '无法将对话写入此设备。关闭页面后新内容会消失。',
    'signed-out': '你已退出登录。不会保存任何内容。',
  },
}
