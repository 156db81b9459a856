// Uses GPU Lens as another extension would. The desktop's tests run it, and so does an extension beside ours in the
// browser's tests.

/** The sample of the package: model.py opens “computing softmax” in its 43rd line. */
const line = {file: 'model.py', number: 42};

/**
 * Opens the sample through the API, and calls every member of version 1.
 *
 * @param vscode VS Code's API
 * @param {import('vscode').Uri} folder a copy of media/sample
 */
exports.useApi = async (vscode, folder) => {
  const extension = vscode.extensions.getExtension('gpu-lens.gpu-lens');
  const {getApi} = await extension.activate();
  const api = getApi(1);
  const told = [];
  const listener = api.onDidChangeActiveProfile(profile => told.push(profile?.name ?? null));
  const uri = vscode.Uri.joinPath(folder, line.file);
  try {
    const before = await api.figuresOfLine(uri, line.number);
    const isOpen = await api.open(vscode.Uri.joinPath(folder, 'profile', 'train.pt.trace.json.gz'));
    const figures = await api.figuresOfLine(uri, line.number);
    const others = [await api.figuresOfLine(uri, 0), await api.reveal(uri, 0)];
    const isShown = await api.reveal(uri, line.number);
    return {version: api.version, before, isOpen, active: api.activeProfile?.name, told, figures, others, isShown};
  } finally {
    listener.dispose();
  }
};

/** The result of `useApi`, with the times of the sample's recording. */
exports.expected = {
  version: 1,
  before: null,
  isOpen: true,
  active: 'train.pt.trace.json.gz',
  told: ['train.pt.trace.json.gz'],
  others: [null, false],
  isShown: true,
};
