import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.ExtensiblePlugin.ExtensionLoader;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.ScriptPlugin;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.transport.Netty4Plugin;

/** A node of OpenSearch with plugins of the class path. Arguments: setting=value, lists by commas. */
public final class TestNode extends Node {
  private TestNode(Settings settings) {
    super(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "asof"),
        List.of(
            Netty4Plugin.class, CommonAnalysisPlugin.class, Painless.class, KNNPlugin.class),
        false);
  }

  /** Painless with the functions of vectors: a server joins them for folders of plugins alone. */
  public static final class Painless extends Plugin implements ScriptPlugin {
    private final PainlessPlugin inner = new PainlessPlugin();

    public Painless() {
      inner.loadExtensions(
          new ExtensionLoader() {
            @Override
            public <T> List<T> loadExtensions(Class<T> type) {
              List<T> found = new ArrayList<>();
              ServiceLoader.load(type).forEach(found::add);
              return found;
            }
          });
    }

    @Override
    public ScriptEngine getScriptEngine(Settings settings, Collection<ScriptContext<?>> contexts) {
      return inner.getScriptEngine(settings, contexts);
    }

    @Override
    public List<ScriptContext<?>> getContexts() {
      return inner.getContexts();
    }

    @Override
    public List<Setting<?>> getSettings() {
      return inner.getSettings();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Settings.Builder settings = Settings.builder();
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      if (parts[1].contains(",")) settings.putList(parts[0], parts[1].split(","));
      else settings.put(parts[0], parts[1]);
    }
    Settings built = settings.build();
    Files.createDirectories(java.nio.file.Path.of(built.get("path.home"), "config"));
    TestNode node = new TestNode(built);
    node.start();
    // The end of standard input is the end of the process that started it.
    while (System.in.read() >= 0) {}
    node.close();
    System.exit(0);
  }
}
